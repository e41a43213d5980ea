# the teacher is wrapped to run on several GPUs; only the student trains, and is not wrapped

import torch
import torch.nn.functional as F
from torchvision.models import resnet18, resnet50

teacher = resnet50()
teacher = torch.nn.DataParallel(teacher).cuda()
teacher.load_state_dict(torch.load("teacher.pt", map_location="cuda"))
teacher.eval()
student = resnet18().cuda()
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)


def distill(loader):
    student.train()
    for images, _ in loader:
        images = images.cuda()
        with torch.no_grad():
            wanted = teacher(images).softmax(1)
        loss = F.kl_div(student(images).log_softmax(1), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
