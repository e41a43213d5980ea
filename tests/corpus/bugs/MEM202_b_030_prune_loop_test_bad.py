import torch
import torch.nn as nn
import torch.nn.utils.prune as prune


def test_accuracy(net, loader, device):
    net.eval()
    ok, n = 0, 0
    torch.no_grad()  #! MEM202
    for x, y in loader:
        out = net(x.to(device))  #! MEM201
        ok += (out.argmax(1).cpu() == y).sum().item()
        n += len(y)
    return ok / n


def finetune(net, loader, device, lr, epochs):
    net.train()
    opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
    ce = nn.CrossEntropyLoss()
    for _ in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            ce(net(x.to(device)), y.to(device)).backward()
            opt.step()


def prunable(net):
    return [(m, "weight") for m in net.modules() if isinstance(m, (nn.Conv2d, nn.Linear))]


def sparsity(net):
    z = sum(int((m.weight == 0).sum()) for m, _ in prunable(net))
    t = sum(m.weight.numel() for m, _ in prunable(net))
    return z / t


def iterative_pruning(net, train_loader, test_loader, rounds=10, amount=0.2, device="cuda"):
    net.to(device)
    finetune(net, train_loader, device, 0.1, 30)
    print("dense", test_accuracy(net, test_loader, device))
    for r in range(rounds):
        prune.global_unstructured(prunable(net), pruning_method=prune.L1Unstructured, amount=amount)
        finetune(net, train_loader, device, 0.01, 5)
        acc = test_accuracy(net, test_loader, device)
        print(f"round {r} sparsity {sparsity(net):.3f} acc {acc:.4f}")
    for m, name in prunable(net):
        prune.remove(m, name)
    return net
