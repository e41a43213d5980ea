import lightning as L
import torch


class Cb(L.Callback):
    def __init__(self):
        self.outs = []

    def on_validation_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        self.outs.append(outputs)  #! MEM127

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        import gc
        gc.collect()  #! MEM501

    def on_load_checkpoint(self, trainer, m, ck):
        state = torch.load("x.pt")
        print(state.keys())
