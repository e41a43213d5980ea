# main() loads weights, renames their keys and calls the training function

import torch
import torch.nn as nn


def train(net, data, opt):
    for x in data:
        loss = net(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


def main(path="pretrained.pth"):
    net = nn.Linear(64, 64)
    weights = torch.load(path)  #! MEM702 warning
    state = {k.replace("module.", ""): v for k, v in weights["state_dict"].items()}
    net.load_state_dict(state)
    train(net, torch.randn(10, 4, 64), torch.optim.SGD(net.parameters(), lr=0.1))


if __name__ == "__main__":
    main()
