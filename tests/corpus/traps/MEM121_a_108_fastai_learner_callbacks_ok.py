from fastai.vision.all import *
import torch


class LossRecorder(Callback):
    def before_fit(self):
        self.losses = []

    def after_batch(self):
        if self.training:
            self.losses.append(self.learn.loss.item())


def main(path):
    dls = ImageDataLoaders.from_folder(path, valid_pct=0.2, item_tfms=Resize(224))
    learn = vision_learner(dls, resnet34, metrics=error_rate, cbs=[LossRecorder()])
    learn.fine_tune(3)
    preds, targs = learn.get_preds()
    torch.save(preds, "preds.pt")
