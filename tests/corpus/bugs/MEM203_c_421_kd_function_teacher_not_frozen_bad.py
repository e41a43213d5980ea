import torch
from torch import nn, optim


def distill_loss(student_logits, teacher_logits, labels, T=3.0, alpha=0.7):
    soft = nn.KLDivLoss(reduction="batchmean")(
        torch.log_softmax(student_logits / T, dim=1), torch.softmax(teacher_logits / T, dim=1)
    )
    return alpha * T * T * soft + (1 - alpha) * nn.functional.cross_entropy(student_logits, labels)


def train_kd(teacher, student, loader, epochs, lr, device):
    teacher.eval()
    student.train()
    opt = optim.Adam(student.parameters(), lr=lr)
    for _ in range(epochs):
        for inputs, labels in loader:
            inputs, labels = inputs.to(device), labels.to(device)
            opt.zero_grad()
            teacher_logits = teacher(inputs)  #! MEM203
            student_logits = student(inputs)
            loss = distill_loss(student_logits, teacher_logits, labels)
            loss.backward()
            opt.step()


def main():
    big = nn.Sequential(nn.Linear(20, 512), nn.ReLU(), nn.Linear(512, 4))
    small = nn.Linear(20, 4)
    loader = [(torch.randn(8, 20), torch.randint(0, 4, (8,)))] * 5
    train_kd(big, small, loader, 2, 1e-3, "cpu")


main()
