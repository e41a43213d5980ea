# the states of a sampling and their probabilities are stacked for a caller that trains by them

import torch


class Policy:
    def __init__(self, net, steps):
        self.net = net.cuda().eval()
        self.steps = steps

    @torch.no_grad()
    def act(self, observation):
        x = torch.randn(observation.shape[0], 8, 7, device="cuda")
        chain, chances = [x], []
        for step in range(self.steps):
            mean, spread = self.net(x, observation.cuda(), step)
            x = mean + spread * torch.randn_like(x)
            chain.append(x)  #! MEM103 advice
            chances.append(torch.distributions.Normal(mean, spread).log_prob(x))  #! MEM103 advice
        chain = torch.stack(chain, dim=1)
        return {"actions": x, "chain": chain, "chances": torch.stack(chances, dim=1)}


def steer(policy, observation):
    return policy.act(observation)["actions"].cpu().numpy()
