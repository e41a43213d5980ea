import random

import gym
import numpy as np
import torch

from agent import DQN


def evaluate(policy_net, env, episodes=10, device="cuda"):
    policy_net.eval()
    rewards = []
    for _ in range(episodes):
        obs, done, total = env.reset(), False, 0.0
        while not done:
            x = torch.from_numpy(np.array(obs)).float().unsqueeze(0).to(device)
            action = policy_net(x).max(1)[1].item()  #! MEM201
            obs, reward, done, info = env.step(action)
            total += reward
        rewards.append(total)
    policy_net.train()
    return float(np.mean(rewards))


if __name__ == "__main__":
    env = gym.make("PongNoFrameskip-v4")
    net = DQN(env.observation_space.shape, env.action_space.n).cuda()
    net.load_state_dict(torch.load("pong.pt"))  #! MEM701
    print(evaluate(net, env))
