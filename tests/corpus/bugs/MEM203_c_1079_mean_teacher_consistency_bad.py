import copy

import torch
import torch.nn.functional as F
from torchvision.models import wide_resnet50_2


def sigmoid_rampup(cur, length):
    p = 1.0 - min(max(cur, 0), length) / length
    return float(torch.exp(torch.tensor(-5.0 * p * p)))


def main(labelled, unlabelled, epochs=100):
    student = wide_resnet50_2(num_classes=10).cuda()
    teacher = copy.deepcopy(student)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.03, momentum=0.9, nesterov=True)
    step = 0
    for epoch in range(epochs):
        for (xl, y), (xu, xu2) in zip(labelled, unlabelled):
            xl, y, xu, xu2 = xl.cuda(), y.cuda(), xu.cuda(), xu2.cuda()
            sup = F.cross_entropy(student(xl), y)
            p = F.softmax(student(xu), dim=1)
            q = F.softmax(teacher(xu2), dim=1).detach()  #! MEM203
            loss = sup + sigmoid_rampup(epoch, 40) * F.mse_loss(p, q)
            optimizer.zero_grad()  #? MEM122
            loss.backward()
            optimizer.step()
            step += 1
            alpha = min(1 - 1 / (step + 1), 0.999)
            with torch.no_grad():
                for pt, ps in zip(teacher.parameters(), student.parameters()):
                    pt.mul_(alpha).add_(ps, alpha=1 - alpha)
