import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Clicks(IterableDataset):
    def __init__(self, shards, device="cpu"):
        self.shards, self.device = shards, device

    def __iter__(self):
        info = get_worker_info()
        mine = self.shards[info.id::info.num_workers] if info else self.shards
        for s in mine:
            for row in np.load(s):
                yield torch.as_tensor(row[:-1], device=self.device), torch.tensor(row[-1]).to(self.device)


def main():
    net = torch.nn.Sequential(torch.nn.Linear(39, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1)).cuda()
    opt = torch.optim.Adagrad(net.parameters())
    stream = DataLoader(Clicks([f"part{i}.npy" for i in range(16)]), batch_size=4096, num_workers=4, pin_memory=True)
    for x, y in stream:
        x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
        opt.zero_grad()
        torch.nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y).backward()
        opt.step()


if __name__ == "__main__":
    main()
