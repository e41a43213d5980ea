from fastai.callback.core import Callback
from fastai.vision.all import ImageDataLoaders, accuracy, resnet34, vision_learner


class KeepLosses(Callback):
    def before_fit(self):
        self.losses = []

    def after_loss(self):
        self.losses.append(self.learn.loss.item())

    def after_fit(self):
        print(len(self.losses), sum(float(x) for x in self.losses))


dls = ImageDataLoaders.from_folder("pets")
learn = vision_learner(dls, resnet34, metrics=accuracy, cbs=KeepLosses())
learn.fine_tune(3)
