import torch
import torch.nn.functional as F

from agents.networks import ActorCritic
from agents.rollout import RolloutBuffer


class PPO:
    def __init__(self, env, lr=3e-4, clip=0.2):
        self.env, self.clip = env, clip
        self.net = ActorCritic(env.observation_space.shape[0], env.action_space.n)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.buffer = RolloutBuffer()

    def collect(self, steps):
        obs = torch.as_tensor(self.env.reset()[0], dtype=torch.float32)
        for _ in range(steps):
            with torch.no_grad():
                action, log_prob, value = self.net.act(obs)
            nxt, reward, term, trunc, _ = self.env.step(action.item())
            self.buffer.add(obs, action, log_prob, value, reward, float(term or trunc))
            obs = torch.as_tensor(self.env.reset()[0] if term or trunc else nxt, dtype=torch.float32)

    def update(self, epochs=4):
        obs, actions, old, values, returns = self.buffer.batch()
        adv = returns - values
        for _ in range(epochs):
            dist, v = self.net(obs)
            ratio = (dist.log_prob(actions) - old).exp()
            surrogate = torch.min(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv)
            loss = -surrogate.mean() + 0.5 * F.mse_loss(v, returns) - 0.01 * dist.entropy().mean()
            self.optimizer.zero_grad()  #? MEM122
            loss.backward()
            self.optimizer.step()
        self.buffer.clear()
