# a batch is a tensor or a container of them: its shape holds numbers

def to_device(data):
    if isinstance(data, (list, tuple)):
        return [to_device(part) for part in data]
    if isinstance(data, dict):
        return {key: to_device(part) for key, part in data.items()}
    return data.cuda()


class Trainer:
    def step(self):
        batch = to_device(next(self.iterator))
        loss, *metrics = self.loss_fn(batch)
        if isinstance(batch, (list, tuple)):
            size = batch[0].shape[0]
        else:
            size = batch.shape[0]
        weight = size / self.full
        self.scaler.scale(loss * weight).backward()
        self.seen += size
        if self.seen >= self.full:
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.optimizer.zero_grad()

    def train(self):
        for _ in range(self.steps):
            self.step()
