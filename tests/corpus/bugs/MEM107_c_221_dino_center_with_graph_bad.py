import torch
import torch.nn as nn
import torch.nn.functional as F


class CenteredLoss(nn.Module):
    def __init__(self, out_dim, center_momentum=0.9):
        super().__init__()
        self.center_momentum = center_momentum
        self.register_buffer("center", torch.zeros(1, out_dim))

    def forward(self, student_out, teacher_out):
        target = F.softmax((teacher_out - self.center) / 0.04, dim=-1).detach()
        loss = torch.sum(-target * F.log_softmax(student_out / 0.1, dim=-1), dim=-1).mean()
        self.update_center(teacher_out)
        return loss

    def update_center(self, teacher_output):
        batch_center = teacher_output.mean(dim=0, keepdim=True)
        self.center = self.center * self.center_momentum + batch_center * (1 - self.center_momentum)  #! MEM107


student, teacher = nn.Linear(48, 16), nn.Linear(48, 16)
criterion = CenteredLoss(16)
opt = torch.optim.AdamW(student.parameters(), lr=5e-4)
for it in range(500):
    a, b = torch.randn(64, 48), torch.randn(64, 48)
    loss = criterion(student(a), teacher(b))  #! MEM203
    opt.zero_grad()
    loss.backward()
    opt.step()
