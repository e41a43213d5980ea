import glob
import os

import torch


def latest(folder):
    return max(glob.glob(os.path.join(folder, "*.pt")), key=os.path.getmtime)


class CheckpointManager:
    def __init__(self, folder, model, optimizer, scheduler=None):
        self.folder, self.model, self.optimizer, self.scheduler = folder, model, optimizer, scheduler

    def save(self, step):
        torch.save(
            {"model": self.model.state_dict(), "optim": self.optimizer.state_dict(), "step": step},
            os.path.join(self.folder, f"{step}.pt"),
        )

    def load(self):
        payload = torch.load(latest(self.folder))  #! MEM701
        self.model.load_state_dict(payload["model"])
        self.optimizer.load_state_dict(payload["optim"])
        return payload["step"]


def main():
    model = torch.nn.Linear(10, 10).cuda()
    opt = torch.optim.Adam(model.parameters())
    mgr = CheckpointManager("ckpts", model, opt)
    step = mgr.load()
    while step < 10000:
        loss = model(torch.randn(8, 10, device="cuda")).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        step += 1
        if step % 1000 == 0:
            mgr.save(step)


main()
