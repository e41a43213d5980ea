import gymnasium as gym
import torch


class Pixels(gym.Wrapper):
    """The constructor calls a method that only this class of the file has."""

    def __init__(self, env):
        super().__init__(env)
        self.shape = self.env.render(mode="rgb_array").shape

    def render(self, mode="human"):
        return super().render(mode)


env = Pixels(gym.make("CartPole-v1"))
policy = torch.nn.Linear(4, 2)
with torch.no_grad():
    print(policy(torch.zeros(4)).argmax().item(), env.shape)
