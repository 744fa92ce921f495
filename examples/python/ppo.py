"""Teaches the half cheetah to run with PPO, on a batch of environments, in one file.

    pip install sinew gymnasium torch
    python ppo.py                          # the curve on the screen, curve.csv and policy.pt beside it

Proximal policy optimisation (Schulman et al. 2017): collect a stretch of all environments with the present policy, estimate how much
better than expected each action was (GAE), then improve the policy for a few passes without leaving its neighbourhood.
"""

import argparse
import csv
import time

import gymnasium
import numpy as np
import torch
from torch import nn

import sinew.gym


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--env", default="sinew/HalfCheetah-v5")
    parser.add_argument("--envs", type=int, default=64, help="environments in the batch")
    parser.add_argument("--horizon", type=int, default=64, help="steps of each between two updates")
    parser.add_argument("--steps", type=float, default=2e6, help="steps of all environments together")
    parser.add_argument("--epochs", type=int, default=10, help="passes over what was collected")
    parser.add_argument("--minibatch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at the beginning; falls to zero")
    parser.add_argument("--discount", type=float, default=0.99)
    parser.add_argument("--trace", type=float, default=0.95, help="lambda of GAE")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--noise", type=float, default=-0.7, help="log of the policy's standard deviation at the beginning")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=0, help="of the simulations; 0: one per CPU")
    parser.add_argument("--minutes", type=float, default=15, help="stop after this time in any case")
    parser.add_argument("--out", default=".", help="folder for curve.csv and policy.pt")
    return parser.parse_args()


class Scale:
    """Mean and variance of everything seen so far."""

    def __init__(self, shape=()):
        self.mean, self.var, self.count = np.zeros(shape), np.ones(shape), 1e-4

    def add(self, rows):
        mean, var, n = rows.mean(axis=0), rows.var(axis=0), len(rows)
        total, delta = self.count + n, mean - self.mean
        self.var = (self.var * self.count + var * n + delta**2 * self.count * n / total) / total
        self.mean, self.count = self.mean + delta * n / total, total

    def apply(self, rows):
        return torch.as_tensor(np.clip((rows - self.mean) / np.sqrt(self.var + 1e-8), -10, 10), dtype=torch.float32)


def layers(inputs, outputs, gain):
    sizes, gains = (inputs, 64, 64, outputs), (2**0.5, 2**0.5, gain)
    parts = []
    for a, b, g in zip(sizes, sizes[1:], gains):
        linear = nn.Linear(a, b)
        nn.init.orthogonal_(linear.weight, g)
        nn.init.zeros_(linear.bias)
        parts += [linear, nn.Tanh()]
    return nn.Sequential(*parts[:-1])


class Agent(nn.Module):
    """A normal distribution over actions, and an estimate of the return."""

    def __init__(self, observations, actions, noise):
        super().__init__()
        self.actor, self.critic = layers(observations, actions, 0.01), layers(observations, 1, 1.0)
        self.log_std = nn.Parameter(torch.full((actions,), noise))

    def value(self, x):
        return self.critic(x).squeeze(-1)

    def log_prob(self, mean, action):
        return (-0.5 * ((action - mean) / self.log_std.exp()) ** 2 - self.log_std - 0.9189385).sum(-1)


def advantages(rewards, values, terminated, ended, o):
    """Generalised advantage estimates, (horizon, envs); values has one row more."""
    result, last = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        delta = rewards[t] + o.discount * values[t + 1] * ~terminated[t] - values[t]
        result[t] = last = delta + o.discount * o.trace * ~ended[t] * last
    return result


class Collector:
    """Runs the environments with the present policy and keeps what it sees."""

    def __init__(self, o):
        self.o = o
        self.envs = gymnasium.make_vec(o.env, num_envs=o.envs, nthread=o.threads)
        self.observation, _ = self.envs.reset(seed=o.seed)
        self.size = self.observation.shape[1]
        self.scale, self.reward_scale = Scale(self.size), Scale()
        self.scale.add(self.observation)
        self.discounted, self.episode = np.zeros(o.envs), np.zeros(o.envs)
        self.ended = np.zeros(o.envs, bool)
        self.returns = []  # of episodes that ended since somebody looked

    @torch.no_grad()
    def stretch(self, agent):
        """A dictionary of tensors (horizon, envs, ...). Where an environment begins again, `counts` is False: that step did nothing."""
        o, shape = self.o, (self.o.horizon, self.o.envs)
        out = {"x": torch.zeros(*shape, self.size), "action": torch.zeros(*shape, *self.envs.single_action_space.shape),
               "log_prob": torch.zeros(shape), "reward": torch.zeros(shape), "value": torch.zeros(shape[0] + 1, shape[1]),
               **{name: torch.zeros(shape, dtype=torch.bool) for name in ("terminated", "ended", "counts")}}
        std, seen = agent.log_std.exp(), []
        for t in range(o.horizon):
            x = self.scale.apply(self.observation)
            mean = agent.actor(x)
            action = mean + std * torch.randn_like(mean)
            out["x"][t], out["action"][t], out["log_prob"][t], out["value"][t] = x, action, agent.log_prob(mean, action), agent.value(x)
            out["counts"][t] = torch.as_tensor(~self.ended)
            self.observation, reward, terminated, truncated, _ = self.envs.step(np.clip(action.numpy(), -1, 1))
            seen.append(self.observation)
            self.ended = terminated | truncated
            out["reward"][t], out["terminated"][t], out["ended"][t] = map(torch.as_tensor, (reward, terminated, self.ended))
            self.note(reward)
        out["value"][-1] = agent.value(self.scale.apply(self.observation))
        self.scale.add(np.concatenate(seen))
        out["reward"] /= float(np.sqrt(self.reward_scale.var + 1e-8))
        return out

    def note(self, reward):
        """Rewards are scaled by the deviation of discounted returns."""
        self.discounted = self.o.discount * self.discounted + reward
        self.reward_scale.add(self.discounted)
        self.episode += reward
        self.returns += self.episode[self.ended].tolist()
        self.discounted[self.ended] = self.episode[self.ended] = 0


def improve(agent, optimiser, data, advantage, target, o):
    """Passes over a stretch in minibatches, within the clipped neighbourhood of the policy that collected it."""
    rows = torch.nonzero(data["counts"].flatten()).squeeze(1)
    flat = {name: data[name].flatten(0, 1) for name in ("x", "action", "log_prob")}
    advantage, target = advantage.flatten(), target.flatten()
    for _ in range(o.epochs):
        for part in rows[torch.randperm(len(rows))].split(o.minibatch):
            x, gain = flat["x"][part], advantage[part]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            ratio = (agent.log_prob(agent.actor(x), flat["action"][part]) - flat["log_prob"][part]).exp()
            surrogate = torch.minimum(ratio * gain, ratio.clamp(1 - o.clip, 1 + o.clip) * gain).mean()
            loss = 0.5 * (agent.value(x) - target[part]).square().mean() - surrogate
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()


def evaluate(o, agent, scale):
    """Returns of one episode per environment, without noise."""
    envs = gymnasium.make_vec(o.env, num_envs=o.envs, nthread=o.threads)
    observation, _ = envs.reset(seed=o.seed + 1)
    total, running = np.zeros(o.envs), np.ones(o.envs, bool)
    while running.any():
        with torch.no_grad():
            action = agent.actor(scale.apply(observation)).clamp(-1, 1).numpy()
        observation, reward, terminated, truncated, _ = envs.step(action)
        total += reward * running
        running &= ~(terminated | truncated)
    return total


def main():
    o = parse()
    torch.manual_seed(o.seed)
    torch.set_num_threads(1)  # networks this small gain nothing from more
    collector = Collector(o)
    agent = Agent(collector.size, collector.envs.single_action_space.shape[0], o.noise)
    optimiser = torch.optim.Adam(agent.parameters(), lr=o.rate, eps=1e-5)
    begin, updates = time.monotonic(), int(o.steps) // (o.envs * o.horizon)
    with open(f"{o.out}/curve.csv", "w", newline="", encoding="utf-8") as file:
        curve = csv.writer(file)
        curve.writerow(("seconds", "cpu_seconds", "steps", "return"))
        for update in range(updates):
            optimiser.param_groups[0]["lr"] = o.rate * (1 - update / updates)
            data = collector.stretch(agent)
            advantage = advantages(data["reward"], data["value"], data["terminated"], data["ended"], o)
            improve(agent, optimiser, data, advantage, advantage + data["value"][:-1], o)
            seconds = time.monotonic() - begin
            if collector.returns:
                row = (round(seconds, 1), round(time.process_time(), 1), (update + 1) * o.envs * o.horizon, round(float(np.mean(collector.returns)), 1))
                curve.writerow(row)
                file.flush()
                print(f"{row[0]:7.1f} s  {row[2]:9d} steps  return {row[3]:8.1f}", flush=True)
                collector.returns.clear()
            if seconds > 60 * o.minutes:
                break
    torch.save({"agent": agent.state_dict(), "mean": collector.scale.mean, "var": collector.scale.var}, f"{o.out}/policy.pt")
    final = evaluate(o, agent, collector.scale)
    print(f"without noise: return {final.mean():.0f} ± {final.std():.0f} of {o.envs} episodes; "
          f"{time.monotonic() - begin:.0f} s, {time.process_time():.0f} s of CPU time")


if __name__ == "__main__":
    main()
