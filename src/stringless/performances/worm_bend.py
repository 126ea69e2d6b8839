from stringless.performances.worm_wave import WormWave

class WormBend(WormWave):
    name = "worm_bend"
    low, high, half = 0.04, 0.12, 0.6
    way = "acceleration"
    posture_off = False
    pin = True

    def perform(self):
        self.director.posture(firmness=10.0, damping=1.0)
        super().perform()
