# own functions that merely share the name

import torch


def no_grad():
    torch.set_grad_enabled(False)


class Config:
    def autocast(self):
        print("casting config values")


no_grad()
Config().autocast()
