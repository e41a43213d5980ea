import copy
import os
import torch


class Checkpointer:
    def __init__(self, folder, net, opt):
        self.folder, self.net, self.opt = folder, net, opt
        self.best = float("inf")
        self.ema = copy.deepcopy(net).eval()

    def resume(self):
        path = os.path.join(self.folder, "last.pt")
        if not os.path.exists(path):
            return 0
        state = torch.load(path, map_location="cpu")
        self.net.load_state_dict(state["net"])
        self.opt.load_state_dict(state["opt"])
        return state["epoch"] + 1

    def save(self, epoch, loss):
        torch.save({"net": self.net.state_dict(), "opt": self.opt.state_dict(), "epoch": epoch}, "last.pt")
        if loss < self.best:
            self.best = loss
            torch.save({k: v.cpu() for k, v in self.net.state_dict().items()}, "best.pt")
