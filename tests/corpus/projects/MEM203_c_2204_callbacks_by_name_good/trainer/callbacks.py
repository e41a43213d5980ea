class Callback:
    def on_step_end(self, trainer, loss):
        pass

    def on_epoch_end(self, trainer, epoch):
        pass


class LossHistory(Callback):
    def __init__(self):
        self.losses = []

    def on_step_end(self, trainer, loss):
        self.losses.append(loss)


class Printer(Callback):
    def on_epoch_end(self, trainer, epoch):
        print("epoch", epoch, "done after", trainer.step)
