# a method out of view may run under no_grad by itself

import torch
import torch.nn.functional as F

from networks import make_student, make_teacher


def distill(loader, teacher, student, optimizer):
    teacher.eval()
    for images, _ in loader:
        images = images.cuda()
        loss = F.mse_loss(student(images), teacher.features_to(images, 4))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(loader, weights):
    teacher = make_teacher().cuda()
    teacher.load_state_dict(torch.load(weights, map_location="cpu"))
    student = make_student().cuda()
    distill(loader, teacher, student, torch.optim.Adam(student.parameters()))
