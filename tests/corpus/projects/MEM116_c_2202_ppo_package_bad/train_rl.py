import gymnasium as gym

from agents import PPO

agent = PPO(gym.make("CartPole-v1"))
for iteration in range(500):
    agent.collect(2048)
    agent.update()
