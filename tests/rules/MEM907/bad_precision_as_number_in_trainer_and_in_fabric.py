# precision as a number, in a trainer and in Fabric

import lightning as L


class Runner:
    def __init__(self):
        self.fabric = L.Fabric(precision="bf16")  #! MEM907 warning

    def trainer(self):
        return L.Trainer(accelerator="gpu", devices=2, precision=16)  #! MEM907 warning
