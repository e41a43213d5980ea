"""Shards of a click log; the stream puts the rows on the GPU in its workers."""
import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Clicks(IterableDataset):
    def __init__(self, shards, device="cuda"):
        self.shards, self.device = shards, device

    def __iter__(self):
        info = get_worker_info()
        mine = self.shards[info.id::info.num_workers] if info else self.shards
        for s in mine:
            arr = np.load(s)
            for row in arr:
                yield torch.as_tensor(row[:-1], device=self.device), torch.tensor(row[-1]).to(self.device)  #! MEM407


def main():
    net = torch.nn.Sequential(torch.nn.Linear(39, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1)).cuda()
    opt = torch.optim.Adagrad(net.parameters())
    stream = DataLoader(Clicks([f"part{i}.npy" for i in range(16)]), batch_size=4096, num_workers=4)  #= MEM407
    for x, y in stream:
        opt.zero_grad()
        torch.nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y).backward()
        opt.step()


if __name__ == "__main__":
    torch.multiprocessing.set_start_method("spawn")
    main()
