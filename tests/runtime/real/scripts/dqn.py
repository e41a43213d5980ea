"""Deep Q-learning: a warm-up that fills the replay buffer without training, then updates and a target network."""

import argparse
import random
from collections import deque

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class ReplayBuffer:
    def __init__(self, capacity, observation_size, device):
        self.obs = np.zeros((capacity, observation_size), np.float32)
        self.next_obs = np.zeros((capacity, observation_size), np.float32)
        self.actions = np.zeros((capacity, 1), np.int64)
        self.rewards = np.zeros(capacity, np.float32)
        self.dones = np.zeros(capacity, np.float32)
        self.capacity = capacity
        self.device = device
        self.position = self.size = 0

    def add(self, obs, next_obs, action, reward, done):
        i = self.position
        self.obs[i], self.next_obs[i] = obs, next_obs
        self.actions[i], self.rewards[i], self.dones[i] = action, reward, done
        self.position = (i + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def sample(self, batch_size):
        rows = np.random.randint(0, self.size, batch_size)
        arrays = (self.obs, self.actions, self.next_obs, self.rewards, self.dones)
        return tuple(torch.tensor(array[rows], device=self.device) for array in arrays)


class Chain:
    """A walk along a chain; the reward lies at one end."""

    def __init__(self, size, seed):
        self.size = size
        self.random = random.Random(seed)

    def observe(self):
        seen = np.zeros(self.size, np.float32)
        seen[self.place] = 1.0
        return seen

    def reset(self):
        self.place = self.random.randrange(self.size // 2)
        self.time = 0
        return self.observe()

    def step(self, action):
        self.place = min(self.size - 1, max(0, self.place + (1 if action else -1)))
        self.time += 1
        won = self.place == self.size - 1
        return self.observe(), float(won), won, self.time >= 60


class QNetwork(nn.Module):
    def __init__(self, inputs, actions):
        super().__init__()
        self.network = nn.Sequential(
            nn.Linear(inputs, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, actions)
        )

    def forward(self, x):
        return self.network(x)


def linear_schedule(start_e, end_e, duration, t):
    return max((end_e - start_e) / duration * t + start_e, end_e)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--total-timesteps", type=int, default=3000)
    parser.add_argument("--learning-rate", type=float, default=2.5e-4)
    parser.add_argument("--buffer-size", type=int, default=5000)
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--tau", type=float, default=1.0)
    parser.add_argument("--target-network-frequency", type=int, default=200)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--learning-starts", type=int, default=1000)
    parser.add_argument("--train-frequency", type=int, default=10)
    args = parser.parse_args()
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    env = Chain(24, args.seed)
    q_network = QNetwork(env.size, 2).to(device)
    optimizer = optim.Adam(q_network.parameters(), lr=args.learning_rate)
    target_network = QNetwork(env.size, 2).to(device)
    target_network.load_state_dict(q_network.state_dict())
    rb = ReplayBuffer(args.buffer_size, env.size, device)
    returns = deque(maxlen=100)

    obs = env.reset()
    episode_return = 0.0
    for global_step in range(args.total_timesteps):
        epsilon = linear_schedule(1, 0.05, 0.5 * args.total_timesteps, global_step)
        if random.random() < epsilon:
            action = random.randrange(2)
        else:
            q_values = q_network(torch.Tensor(obs).to(device).unsqueeze(0))
            action = torch.argmax(q_values, dim=1).cpu().numpy()[0]
        next_obs, reward, terminated, truncated = env.step(action)
        episode_return += reward
        rb.add(obs, next_obs, action, reward, terminated)
        obs = next_obs
        if terminated or truncated:
            returns.append(episode_return)
            episode_return = 0.0
            obs = env.reset()
        if global_step > args.learning_starts:
            if global_step % args.train_frequency == 0:
                states, taken, next_states, rewards, dones = rb.sample(args.batch_size)
                with torch.no_grad():
                    target_max, _ = target_network(next_states).max(dim=1)
                    td_target = rewards + args.gamma * target_max * (1 - dones)
                old_val = q_network(states).gather(1, taken).squeeze()
                loss = F.mse_loss(td_target, old_val)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                if global_step % 500 == 0:
                    print(f"step {global_step}: loss {loss.item():.5f}, return {np.mean(returns):.2f}")
            if global_step % args.target_network_frequency == 0:
                for target_param, param in zip(target_network.parameters(), q_network.parameters()):
                    target_param.data.copy_(args.tau * param.data + (1.0 - args.tau) * target_param.data)
    torch.save(q_network.state_dict(), "dqn.pt")


if __name__ == "__main__":
    main()
