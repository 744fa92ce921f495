"""Gymnasium's MuJoCo environments as batches, and a base class for your own.

    import gymnasium, sinew.gym
    envs = gymnasium.make_vec("sinew/HalfCheetah-v5", num_envs=1024)

Observations, rewards, terminations, infos, parameters and the three modes of automatic reset are those of Gymnasium's own
`…-v5`; the models are the ones that Gymnasium carries. Tasks of dm_control's suite are there too: "sinew/dm-walker-run-v0".
`sinew.gym.torch` has them over PyTorch tensors, on a GPU too.
"""

import gymnasium

from sinew.gym.base import VectorEnv
from sinew.gym.control import InvertedDoublePendulum, InvertedPendulum, Pusher, Reacher
from sinew.gym.locomotion import Ant, HalfCheetah, Hopper, Humanoid, HumanoidStandup, Swimmer, Walker2d
from sinew.gym.suite import TASKS

__all__ = ["Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum", "Pusher",
           "Reacher", "Swimmer", "VectorEnv", "Walker2d"]



def alone(task: str = "", **arguments: object) -> None:
    """What `gymnasium.make` calls: these environments are many at once."""
    raise TypeError("environments of sinew are many at once: gymnasium.make_vec(name, num_envs=...), also for one")


# steps of an episode where they are not 1000
EPISODES = {"Reacher": 50, "Pusher": 100}

for _name in __all__:
    if _name != "VectorEnv" and f"sinew/{_name}-v5" not in gymnasium.registry:
        gymnasium.register(id=f"sinew/{_name}-v5", entry_point="sinew.gym:alone", vector_entry_point=f"sinew.gym:{_name}", max_episode_steps=EPISODES.get(_name, 1000))
for _name in TASKS:
    if f"sinew/dm-{_name}-v0" not in gymnasium.registry:
        gymnasium.register(id=f"sinew/dm-{_name}-v0", entry_point="sinew.gym:alone", vector_entry_point="sinew.gym.suite:make", max_episode_steps=1000,
                           kwargs={"task": _name})
