// Contacts that hold, and contact with the real shape. Everything here is chosen per geom, pair or mesh, in MJCF by
// attributes of the sinew: namespace or in C by the functions below; without a choice contacts are those of the
// reference. docs/contact.md says how it works.
#ifndef SINEW_CONTACT_H_
#define SINEW_CONTACT_H_

#include <sinew/sinew.h>

#ifdef __cplusplus
extern "C" {
#endif

//---------------------------------- friction with memory ----------------------------------
// A contact with stick remembers how far its surfaces have moved against each other since they met. That displacement
// acts like a spring while the force is within the friction cone, so that what is held stays where it is; beyond the
// cone the surfaces slip and the memory slips along. The numbers are kept in the custom numeric entries
// sinew:stick:geoms and sinew:stick:pairs of mjModel, the memory of a simulation behind its mjData.

// Most that stick may be.
#define SN_MAXSTICK 10

// Numbers that one remembered contact takes.
#define SN_NANCHOR 25

// Sets the stick of a geom (mjOBJ_GEOM) or a pair (mjOBJ_PAIR): stiffness of the hold as a multiple of what the
// contact's solref says, 0 for none, at most SN_MAXSTICK; a pair that has -1 takes that of its geoms. Acts from the
// next step on. The first number of a model moves its arrays. NULL, or what is wrong (valid until the next call on this
// thread); then nothing changed.
MJAPI const char* sn_setStick(mjModel* m, mjtObj type, int id, mjtNum stick);

// The stick of a geom or a pair; -1 for a pair that takes it from its geoms. 0 where there is no such element.
MJAPI mjtNum sn_getStick(const mjModel* m, mjtObj type, int id);

// How many numbers sn_getAnchors writes: SN_NANCHOR for each contact that is remembered.
MJAPI int sn_anchorSize(const mjData* d);

// Writes what d remembers of its contacts. Together with mj_getState it is all that the next step depends on.
MJAPI void sn_getAnchors(const mjData* d, mjtNum* anchors);

// Gives d n such numbers back, after mj_setState, which forgets them wherever it sets positions. NULL, or what is wrong
// with them; then nothing changed.
MJAPI const char* sn_setAnchors(const mjModel* m, mjData* d, const mjtNum* anchors, int n);

//---------------------------------- shapes ----------------------------------

// How much larger the hull of a mesh is than the mesh: 0.1 for a tenth of its volume. Contacts see hulls, so cavities
// are filled. Infinite for a surface that encloses nothing; 0 where the mesh has no hull or collides with its surface.
MJAPI mjtNum sn_hullExcess(const mjModel* m, int mesh);

// How many flaws the surface of a mesh has: edges at which it is open, branches or turns inside out, faces without area
// or that cross others. text (may be NULL) gets how many of each and the first faces, "" where there are none. Shapes
// of such meshes are still usable, but what is inside is not always clear.
MJAPI int sn_meshFlaws(const mjModel* m, int mesh, char* text, int size);

#ifdef __cplusplus
}
#endif

#endif  // SINEW_CONTACT_H_
