"""An ordinary script for the mujoco Python package. It runs on Sinew unchanged:

    LD_PRELOAD=/path/to/libsinew.so python3 rollout.py
"""
import mujoco
import numpy

MODEL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 1">
      <freejoint/>
      <geom type="sphere" size="0.1" solref="-3000 -5"/>
    </body>
  </worldbody>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(MODEL)
data = mujoco.MjData(model)

heights, contacts = [], 0
while data.time < 4:
    mujoco.mj_step(model, data)
    heights.append(data.body("ball").xpos[2])
    contacts += data.ncon

# where the ball turns round in the air
heights = numpy.array(heights)
top = numpy.flatnonzero((heights[1:-1] > heights[:-2]) & (heights[1:-1] >= heights[2:])) + 1
for index in top:
    print(f"apex at {index * model.opt.timestep:.3f} s, {heights[index]:.5f} m")
print(f"{contacts} steps in contact, lowest {heights.min():.5f} m")
