class AverageMeter:
    def __init__(self):
        self.sum = self.n = 0

    def update(self, v):
        self.sum += v
        self.n += 1
