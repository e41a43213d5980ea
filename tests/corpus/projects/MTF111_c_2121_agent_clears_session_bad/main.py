import gymnasium as gym
from rl import DQNAgent

env = gym.make("CartPole-v1")
agent = DQNAgent(4, 2)
for ep in range(500):
    s, _ = env.reset()
    done = False
    while not done:
        a = agent.act(s, 0.1)  #= MTF111
        s2, r, done, *_ = env.step(a)
        agent.memory.d.append((s, a, r, s2, done))
        s = s2
    agent.replay(32)  #= MTF106
