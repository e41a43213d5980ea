# to(torch.float16) inside main, Adam, training in another function

import torch
import torch.nn.functional as F


def train(net, opt, loader):
    for images, labels in loader:
        opt.zero_grad(set_to_none=True)
        loss = F.cross_entropy(net(images.half()), labels)
        loss.backward()
        opt.step()


def main():
    net = torch.nn.Linear(128, 10)
    net.to("cuda", dtype=torch.float16)  #! MEM301 error
    opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
    loader = [(torch.randn(8, 128).cuda(), torch.zeros(8, dtype=torch.long).cuda())] * 10
    train(net, opt, loader)


if __name__ == "__main__":
    main()
