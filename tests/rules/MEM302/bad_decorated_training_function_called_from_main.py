# a decorated training function, called from main

import torch


@torch.cuda.amp.autocast()  #! MEM302 error
def train(net, optimizer, scaler, loader):
    for images, labels in loader:
        loss = torch.nn.functional.cross_entropy(net(images.cuda()), labels.cuda())
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def main():
    net = torch.nn.Linear(12, 3).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = [(torch.randn(4, 12), torch.randint(0, 3, (4,)))] * 20
    train(net, optimizer, torch.amp.GradScaler("cuda"), loader)


if __name__ == "__main__":
    main()
