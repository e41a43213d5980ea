# records appended line by line, workers from the command line, called from main

import argparse

import torch
from torch.utils import data


class Reviews(data.Dataset):
    def __init__(self, path, vocabulary):
        self.vocabulary = vocabulary
        self.samples = []  #! MEM402 warning
        for line in open(path):
            text, stars = line.rstrip().split("\\t")
            self.samples.append({"text": text, "stars": int(stars)})

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        sample = self.samples[i]
        return torch.tensor([self.vocabulary.get(w, 0) for w in sample["text"].split()]), sample["stars"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--num-workers", type=int, default=4)
    args = parser.parse_args()
    train = Reviews("reviews.tsv", {"good": 1, "bad": 2})
    loader = data.DataLoader(train, batch_size=1, shuffle=True, num_workers=args.num_workers)
    net = torch.nn.EmbeddingBag(3, 5)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for ids, stars in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(ids), stars - 1).backward()
        opt.step()


if __name__ == "__main__":
    main()
