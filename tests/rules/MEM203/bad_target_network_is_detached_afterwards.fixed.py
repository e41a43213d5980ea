# functions called from main: the target network is detached afterwards

import copy

import torch
from torch import nn


def td_loss(q_net, target_net, batch, gamma):
    obs, action, reward, following = batch
    q = q_net(obs).gather(1, action)
    with torch.no_grad():
        best = target_net(following).max(1, keepdim=True)[0].detach()
    return nn.functional.smooth_l1_loss(q, reward + gamma * best)


def main():
    q_net = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 2))
    target_net = copy.deepcopy(q_net)
    optimizer = torch.optim.RMSprop(q_net.parameters(), lr=1e-4)
    for step in range(1000):
        batch = (torch.randn(32, 4), torch.randint(0, 2, (32, 1)), torch.randn(32, 1), torch.randn(32, 4))
        loss = td_loss(q_net, target_net, batch, 0.99)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            target_net.load_state_dict(q_net.state_dict())


if __name__ == "__main__":
    main()
