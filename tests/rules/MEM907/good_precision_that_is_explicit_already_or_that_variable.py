# precision that is explicit already, or that a variable holds

import lightning as L


def build(precision):
    return L.Trainer(precision=precision), L.Trainer(precision="bf16-true"), L.Trainer(precision=32)
