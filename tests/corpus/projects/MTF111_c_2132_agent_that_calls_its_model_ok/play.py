import gym
from agent import Agent

env, ag = gym.make("CartPole-v1"), Agent()
s, _ = env.reset()
for t in range(1000):
    s, r, d, *_ = env.step(ag.act(s))
