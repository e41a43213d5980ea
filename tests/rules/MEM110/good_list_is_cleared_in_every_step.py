# the list is cleared in every step

import torch


class Matcher:
    def __init__(self, teacher):
        self.teacher = teacher.eval()
        self.maps = []
        teacher.register_forward_hook(lambda m, i, o: self.maps.append(o))

    def step(self, student, loader, opt):
        for x in loader:
            self.maps.clear()
            with torch.no_grad():
                self.teacher(x)
            loss = (student(x) - self.maps[-1]).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
