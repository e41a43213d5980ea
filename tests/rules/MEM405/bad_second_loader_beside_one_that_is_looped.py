# a second loader beside the one that is looped over, in a function that main calls

import torch
from torch.utils.data import DataLoader


def train(student, labelled, unlabelled, device):
    optim = torch.optim.AdamW(student.parameters(), lr=3e-4)
    known = DataLoader(labelled, batch_size=16, shuffle=True)
    extra = DataLoader(unlabelled, batch_size=64, shuffle=True)
    for epoch in range(20):
        for x, y in known:
            u = next(iter(extra))[0].to(device)  #! MEM405 warning
            loss = torch.nn.functional.cross_entropy(student(x.to(device)), y.to(device))
            loss = loss + student(u).var()
            optim.zero_grad(set_to_none=True)
            loss.backward()
            optim.step()


def main():
    from mydata import load_both

    train(torch.nn.Linear(32, 4), *load_both(), "cpu")


if __name__ == "__main__":
    main()
