import os
import torch


class CheckpointManager:
    def __init__(self, folder):
        self.folder = folder

    def latest(self):
        return os.path.join(self.folder, max(os.listdir(self.folder)))

    def restore(self, net, opt):
        state = torch.load(self.latest())  #! MEM701
        net.load_state_dict(state["net"])
        opt.load_state_dict(state["opt"])
        return state["epoch"]


def main(net, loader):
    net = net.cuda()
    opt = torch.optim.Adam(net.parameters())
    start = CheckpointManager("ckpt").restore(net, opt)
    for epoch in range(start, 100):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
            opt.step()
