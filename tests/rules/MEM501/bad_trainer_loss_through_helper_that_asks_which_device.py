# a Trainer's loss, through a helper that asks which device there is

import torch
from transformers import Trainer, is_torch_xpu_available


def empty_cache():
    if is_torch_xpu_available():
        torch.xpu.empty_cache()
    else:
        torch.cuda.empty_cache()


class Distiller(Trainer):
    def __init__(self, teacher, **options):
        super().__init__(**options)
        self.teacher = teacher.eval()

    def compute_loss(self, model, inputs, return_outputs=False, **others):
        with torch.no_grad():
            wanted = self.teacher(**inputs).logits
        outputs = model(**inputs)
        loss = torch.nn.functional.mse_loss(outputs.logits, wanted)
        empty_cache()  #! MEM501
        return (loss, outputs) if return_outputs else loss
