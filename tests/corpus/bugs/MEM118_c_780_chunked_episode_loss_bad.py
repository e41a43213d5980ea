import torch


class Policy:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr)

    def update(self, episodes):
        losses = []
        for states, actions, returns in episodes:
            logp = torch.log_softmax(self.net(states), -1).gather(1, actions[:, None])
            losses.append(-(logp.squeeze(1) * returns).mean())  #! MEM118
        loss = sum(losses) / len(losses)
        self.opt.zero_grad()
        loss.backward()  #= MEM118
        self.opt.step()


def train(net, sampler):
    p = Policy(net, 1e-3)
    for _ in range(100):
        p.update(sampler())
