# a window from the command line, in a script that joins paths

import argparse
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

class Sentences(torch.utils.data.Dataset):
    def __init__(self, path):
        self.lines = open(path).readlines()

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, index):
        return torch.tensor([len(word) for word in self.lines[index].split()][:16]), index % 20


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="data")
    parser.add_argument("--accumulate", type=int, default=4)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    data = Sentences(os.path.join(args.root, "train.txt"))
    loader = DataLoader(data, batch_size=32, sampler=DistributedSampler(data), num_workers=4)
    model = torch.nn.Sequential(torch.nn.EmbeddingBag(30_000, 128), torch.nn.Linear(128, 20)).cuda()
    model = DistributedDataParallel(model, device_ids=[local], gradient_as_bucket_view=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for number, (tokens, labels) in enumerate(loader):
        loss = F.cross_entropy(model(tokens.cuda()), labels.cuda()) / args.accumulate
        loss.backward()  #! MEM604 advice
        if (number + 1) % args.accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()


if __name__ == "__main__":
    main()
