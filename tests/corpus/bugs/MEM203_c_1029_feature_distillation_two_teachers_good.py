import timm
import torch
import torch.nn as nn
import torch.nn.functional as F


def build_teachers(names):
    teachers = []
    for n in names:
        t = timm.create_model(n, pretrained=True).cuda()
        t.eval()
        teachers.append(t)
    return teachers


def kd_loss(student_logits, teacher_logits, T=4.0):
    p = F.log_softmax(student_logits / T, dim=1)
    q = F.softmax(teacher_logits / T, dim=1)
    return F.kl_div(p, q, reduction="batchmean") * T * T


def main(loader, epochs=30):
    teacher_a = timm.create_model("resnet50", pretrained=True).cuda().eval()
    teacher_b = timm.create_model("convnext_tiny", pretrained=True).cuda().eval()
    student = timm.create_model("mobilenetv3_small_100", num_classes=1000).cuda()
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    for epoch in range(epochs):
        student.train()
        for x, y in loader:
            x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
            s = student(x)
            with torch.no_grad():
                ta = teacher_a(x)
                tb = teacher_b(x)
            loss = F.cross_entropy(s, y) + 0.5 * kd_loss(s, ta) + 0.5 * kd_loss(s, tb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
