import torch
import torch.nn.functional as F
import torchvision


def distill(loader, epochs=30, T=4.0, alpha=0.7):
    teacher = torchvision.models.resnet101(weights="DEFAULT").cuda().eval()
    student = torchvision.models.mobilenet_v3_small(num_classes=1000).cuda()
    opt = torch.optim.SGD(student.parameters(), 0.05, momentum=0.9)
    for _ in range(epochs):
        for x, y in loader:
            x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
            s = student(x)
            with torch.no_grad():
                t = teacher(x)
            soft = F.kl_div(F.log_softmax(s / T, 1), F.softmax(t.detach() / T, 1), reduction="batchmean")
            loss = alpha * T * T * soft + (1 - alpha) * F.cross_entropy(s, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
