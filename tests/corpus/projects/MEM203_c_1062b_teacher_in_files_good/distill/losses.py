import torch.nn as nn
import torch.nn.functional as F


class DistillLoss(nn.Module):
    """Soft cross-entropy against a teacher that it calls by itself."""

    def __init__(self, base, teacher, alpha=0.5, tau=2.0):
        super().__init__()
        self.base, self.teacher, self.alpha, self.tau = base, teacher, alpha, tau

    def forward(self, x, outputs, labels):
        base = self.base(outputs, labels)
        import torch
        with torch.no_grad():
            t = self.teacher(x)
        soft = F.kl_div((outputs / self.tau).log_softmax(1), (t / self.tau).softmax(1), reduction="batchmean")
        return base * (1 - self.alpha) + soft * self.alpha * self.tau ** 2
