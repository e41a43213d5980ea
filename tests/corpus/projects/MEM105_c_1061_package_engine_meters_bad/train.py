import argparse

import torch
from torch.utils.data import DataLoader

from ssd.engine.trainer import do_train
from ssd.modeling import MultiBoxLoss, SSDHead


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=10)
    args = p.parse_args()
    model = SSDHead().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    loader = DataLoader(torch.load("voc.pt"), batch_size=32, num_workers=4, shuffle=True)
    do_train(model, MultiBoxLoss(), loader, optimizer, "cuda", args.epochs)


if __name__ == "__main__":
    main()
