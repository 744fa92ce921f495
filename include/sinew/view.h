// Showing a running program in a viewer: `sinew view --listen` waits for it, in a window and in browsers.
//
//   snView* view = sn_viewConnect(NULL, m, 1, message, sizeof(message));
//   for (;;) {
//     mj_step(m, d);
//     sn_viewSend(view, d, 0);
//   }
//   sn_viewClose(view);
//
// The simulation never waits for the viewer: a thread sends the newest state at most sixty times a second, and states
// in between are dropped. The model goes over once, when the connection is made.
#ifndef SINEW_VIEW_H_
#define SINEW_VIEW_H_

#include <mujoco/mujoco.h>
#include <sinew/batch.h>
#include <sinew/sinew.h>

#ifdef __cplusplus
extern "C" {
#endif

// A connection to a viewer. One thread at a time may call functions on it.
typedef struct snView_ snView;

// Connects to the viewer at address, "host:port" or "host" (NULL: "localhost:7700"), and shows it nsim simulations of m
// side by side, 1 to 1024; m is copied. Returns NULL when nobody listens there or the model cannot be sent; message (at
// most size bytes, may be NULL) says why.
MJAPI snView* sn_viewConnect(const char* address, const mjModel* m, int nsim, char* message, int size);

// Shows the state of d, which was made for the connection's model, as simulation sim (from 0): time, positions,
// velocities, activations, controls, equalities and mocap bodies. SN_WARNING: the viewer has gone, nothing is sent any
// more. SN_ERROR: there is no such simulation.
MJAPI snStatus sn_viewSend(snView* view, const mjData* d, int sim);

// Shows the first simulations of a batch, as many as were connected for, which must be of the connection's model. More
// than sixty times a second nothing is read from the batch. Status as sn_viewSend.
MJAPI snStatus sn_viewSendBatch(snView* view, snBatch* b);

// Sends what is left, for a second at most, and ends the connection; the viewer keeps the last state. NULL is allowed.
MJAPI void sn_viewClose(snView* view);

#ifdef __cplusplus
}
#endif

#endif  // SINEW_VIEW_H_
