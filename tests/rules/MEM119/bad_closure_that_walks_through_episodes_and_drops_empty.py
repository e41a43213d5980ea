# closure that walks through episodes and drops the empty ones

import torch


def build(policy, optimizer):
    def learn(episodes):
        for states, rewards in episodes:
            log_probs = torch.log_softmax(policy(states), dim=-1)
            loss = -(log_probs[:, 0] * rewards).sum()
            if rewards.abs().sum() == 0:  #! MEM119
                continue
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return learn


net = torch.nn.Linear(3, 2)
build(net, torch.optim.SGD(net.parameters(), lr=0.1))([(torch.randn(6, 3), torch.ones(6)) for _ in range(5)])
