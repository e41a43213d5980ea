# of several callers the one on the GPU decides, wherever it stands

import argparse

import torch
from corpora import make_loader
from encoders import TextEncoder


def encode_all(encoder, loader, device):
    encoder.eval()
    out = []
    with torch.no_grad():
        for ids, mask in loader:
            out.append(encoder(ids.to(device), mask.to(device)))  #! MEM103 warning
    return torch.cat(out, 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    if args.quick:
        small = TextEncoder(width=64)
        print(encode_all(small, make_loader("tiny"), torch.device("cpu")).shape)
        return
    big = TextEncoder(width=1024).cuda()
    torch.save(encode_all(big, make_loader("full"), torch.device("cuda")).cpu(), "vectors.pt")


main()
