import torch
import torch.nn.functional as F
import torchvision
from torch.utils.data import DataLoader

from trainer import BaseTrainer, LossHistory, Printer


class KDTrainer(BaseTrainer):
    def __init__(self, teacher, *args, temperature=4.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.teacher = teacher.to(self.device).eval()
        self.temperature = temperature

    def compute_loss(self, batch):
        x, y = batch
        student_logits = self.model(x)
        with torch.no_grad():
            teacher_logits = self.teacher(x)
        t = self.temperature
        soft = F.kl_div(
            F.log_softmax(student_logits / t, dim=1), F.softmax(teacher_logits.detach() / t, dim=1), reduction="batchmean"
        )
        return F.cross_entropy(student_logits, y) + t * t * soft


if __name__ == "__main__":
    student = torchvision.models.resnet18(num_classes=100)
    teacher = torchvision.models.resnet50(num_classes=100)
    history = LossHistory()
    trainer = KDTrainer(
        teacher,
        student,
        torch.optim.SGD(student.parameters(), lr=0.1),
        DataLoader(torch.load("train.pt"), 128, shuffle=True),
        DataLoader(torch.load("val.pt"), 128),
        callbacks=[history, Printer()],
    )
    trainer.fit(100)
    print(sum(float(x) for x in history.losses))
