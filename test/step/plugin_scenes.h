// Scenes for the plugins of test/plugins.
#pragma once

// an arm with two servos (one delayed, one with an activation), drag on its bodies, probes with and without history
#define ARM(settings)                                                                                               \
  "<mujoco><option timestep='.01'/><extension><plugin plugin='sinew.test.servo'><instance name='hold'>" settings    \
  "</instance></plugin><plugin plugin='sinew.test.drag'/><plugin plugin='sinew.test.probe'/></extension>"           \
  "<worldbody><body name='upper' pos='0 0 1'><joint name='a' axis='0 1 0'/><geom size='.05' pos='.2 0 0'/>"         \
  "<plugin plugin='sinew.test.drag'><config key='coef' value='.3'/></plugin>"                                       \
  "<body pos='.4 0 0'><joint name='b' axis='0 1 0'/><geom size='.05' pos='.2 0 0'/><site name='tip' pos='.4 0 0'/>" \
  "</body></body></worldbody><actuator><plugin joint='a' plugin='sinew.test.servo' instance='hold'/>"               \
  "<plugin joint='b' plugin='sinew.test.servo' actdim='1' nsample='5' delay='.02'><config key='kp' value='4'/>"     \
  "</plugin></actuator><sensor><plugin name='now' plugin='sinew.test.probe' objtype='site' objname='tip'/>"         \
  "<plugin name='cut' plugin='sinew.test.probe' objtype='site' objname='tip' cutoff='.5'/>"                         \
                                                                                                                    \
  "<plugin name='rare' plugin='sinew.test.probe' objtype='site' objname='tip'/>"                                    \
  "</sensor></mujoco>"

static const char HOLD[] = ARM("<config key='kp' value='10'/><config key='ki' value='3'/>");

// a torus falls on a plane, a ball and another torus on the torus
static const char RINGS[] =
    "<mujoco><option sdf_iterations='20' sdf_initpoints='40'/><extension><plugin plugin='sinew.test.ring'>"
    "<instance name='r'><config key='large' value='.3'/><config key='small' "
    "value='.1'/></instance></plugin></extension>"
    "<asset><mesh name='ring'><plugin instance='r'/></mesh></asset><worldbody>"
    "<geom type='plane' size='3 3 .1'/>"
    "<body name='ring' pos='0 0 .11'><freejoint/><geom type='sdf' mesh='ring'><plugin instance='r'/></geom></body>"
    "<body name='ball' pos='.3 0 .27'><freejoint/><geom size='.08'/></body>"
    "<body name='other' pos='-.35 .02 .32' euler='5 3 0'><freejoint/><geom type='sdf' mesh='ring'>"
    "<plugin instance='r'/></geom></body></worldbody></mujoco>";
