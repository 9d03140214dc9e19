(ns ^:figwheel-hooks harbour.tides
  (:require [reagent.core :as r]))

(defonce tides (r/atom []))
(def ^:const deepest 12)

(defn ^:export init []
  (js/console.log "(defn no [])"))

(defn tide-row
  "One row."
  [{:keys [level at] :as tide}]
  [:tr
   [:td level]
   [:td {:on-click #(reset! tides [])} at]])

(defn- sum
  ([] 0)
  ([a b] (+ a b)))

(defmulti handle (fn [event & _] (:type event)))
(defmethod handle :low [event] event)
(defmethod handle :high [event] (assoc event :high true))

(defrecord Buoy [colour light])
(defprotocol Lit (light [this]) (dark [this]))

(defmacro with-tide [t & body] `(let [~'tide ~t] ~@body))

(defn unfinished []
  #js {:a 1 :b #js [1 2]})

(deftest sums
  (is (= 0 (sum))))
