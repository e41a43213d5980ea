import torch
import torch.nn.functional as F


def build_optimizers(models, lr):
    return [torch.optim.SGD(m.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4) for m in models]


def mutual_learning(models, loader, epochs, lr=0.1):
    optimizers = build_optimizers(models, lr)
    for epoch in range(epochs):
        for images, labels in loader:
            images, labels = images.cuda(), labels.cuda()
            outputs = [m(images) for m in models]
            for i, (model, optimizer) in enumerate(zip(models, optimizers)):
                ce = F.cross_entropy(outputs[i], labels)
                kl = 0
                for j in range(len(models)):
                    if j != i:
                        kl += F.kl_div(F.log_softmax(outputs[i], 1), F.softmax(outputs[j].detach(), 1),
                                       reduction="batchmean")
                loss = ce + kl / (len(models) - 1)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        print("epoch", epoch, "loss", loss.item())
